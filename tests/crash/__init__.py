"""Bad weather: an archive while its disk, its neighbours and its clock go wrong."""
