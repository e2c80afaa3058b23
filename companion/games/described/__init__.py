"""Games that somebody described on one page, without programming: what a page can say, and how they are played."""
