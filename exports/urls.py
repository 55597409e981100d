"""Addresses of imports and exports, under a project."""

from django.urls import include, path

from annotate import converters
from exports import views

converters.register()

imports = (
    [
        path("", views.imports, name="list"),
        path("<uuid:public_id>/", views.import_detail, name="detail"),
        path("<uuid:public_id>/cancel/", views.import_cancel, name="cancel"),
    ],
    "imports",
)
exports = (
    [
        path("", views.exports, name="list"),
        path("<uuid:public_id>/", views.export_detail, name="detail"),
        path("<uuid:public_id>/cancel/", views.export_cancel, name="cancel"),
        path("<uuid:public_id>/files/<filename:name>", views.download, name="download"),
    ],
    "exports",
)
urlpatterns = [
    path("projects/<slug:slug>/imports/", include(imports)),
    path("projects/<slug:slug>/exports/", include(exports)),
]
