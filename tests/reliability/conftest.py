"""These tests run whole installations as processes of their own; they share nothing."""
