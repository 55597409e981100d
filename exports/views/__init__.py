"""The pages where leads bring datasets in and take them out."""
