"""Addresses of imports and exports, under a project."""

from django.urls import include, path

from annotate import converters
from exports import api
from exports.views import downloads
from exports.views import exports as datasets
from exports.views import imports as uploads

converters.register()

imports = (
    [
        path("", uploads.imports, name="list"),
        path("<uuid:public_id>/", uploads.import_detail, name="detail"),
        path("<uuid:public_id>/cancel/", uploads.import_cancel, name="cancel"),
        path("<uuid:public_id>/report/", uploads.import_report, name="report"),
        path("<uuid:public_id>/held/", uploads.import_held, name="held"),
    ],
    "imports",
)
exports = (
    [
        path("", datasets.exports, name="list"),
        path("preview/", datasets.export_preview, name="preview"),
        path("<uuid:public_id>/", datasets.export_detail, name="detail"),
        path("<uuid:public_id>/cancel/", datasets.export_cancel, name="cancel"),
        path("<uuid:public_id>/repeat/", datasets.export_repeat, name="repeat"),
        path("<uuid:public_id>/schedule/", downloads.export_schedule, name="schedule"),
        path("<uuid:public_id>/files/<filename:name>", downloads.download, name="download"),
    ],
    "exports",
)
imports_api = (
    [
        path("", api.ImportList.as_view(), name="list"),
        path("<uuid:public_id>/", api.ImportDetail.as_view(), name="detail"),
    ],
    "imports_api",
)
urlpatterns = [
    path("api/v1/projects/<slug:slug>/imports/", include(imports_api)),
    path("projects/<slug:slug>/imports/", include(imports)),
    path("projects/<slug:slug>/exports/", include(exports)),
]
