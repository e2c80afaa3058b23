"""Games described on one page without programming: the format of a page, and the rules that play it."""
