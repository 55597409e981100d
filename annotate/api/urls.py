"""Addresses of the REST API, version 1."""

from django.urls import path

from annotate.api import projects

app_name = "api"
urlpatterns = [
    path("projects/", projects.ProjectList.as_view(), name="projects"),
    path("projects/<slug:slug>/", projects.ProjectDetail.as_view(), name="project"),
]
