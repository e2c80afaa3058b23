"""What a release is made of, and that each part of it does the main job."""
