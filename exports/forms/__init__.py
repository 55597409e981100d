"""The forms of the import and export pages."""
