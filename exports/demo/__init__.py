"""A small, complete world to show: people, two projects, their tasks with media, and judgements of them. No Django."""
