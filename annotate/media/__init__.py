"""Media files of tasks: what they are, and safe copies of them."""
