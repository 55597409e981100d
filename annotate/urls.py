"""Addresses of the labelling pages."""

from django.urls import include, path

from annotate import converters
from annotate.views import accounts, differences, history, jobs, media, projects, rewrites, texts, work

converters.register()

projects_urls = (
    [
        path("", projects.overview, name="overview"),
        path("guidelines/", projects.guidelines, name="guidelines"),
    ],
    "projects",
)
work_urls = (
    [
        path("", work.start, name="start"),
        path("history/", history.history, name="history"),
        path("<uuid:public_id>/", work.task, name="task"),
        path("<uuid:public_id>/draft/", work.draft, name="draft"),
        path("<uuid:public_id>/submit/", work.submit_turn, name="submit"),
        path("<uuid:public_id>/skip/", work.skip_task, name="skip"),
        path("<uuid:public_id>/preview/", rewrites.preview, name="preview"),
        path("<uuid:public_id>/differences/<int:turn>/", differences.differences, name="differences"),
        path("<uuid:public_id>/edit/", history.edit, name="edit"),
        path("<uuid:public_id>/leave/", history.leave, name="leave"),
        path("<uuid:public_id>/undo/", history.take_back, name="undo"),
    ],
    "work",
)
media_urls = ([path("<uuid:task_id>/<sha256:sha256>/<size:size>", media.asset, name="asset")], "media")
jobs_urls = ([path("", jobs.jobs, name="list")], "jobs")

urlpatterns = [
    path("", projects.home, name="home"),
    path("texts/<slug:language>.js", texts.texts, name="texts"),
    path("settings/", accounts.preferences, name="preferences"),
    path("jobs/", include(jobs_urls)),
    path("projects/<slug:slug>/", include(projects_urls)),
    path("projects/<slug:slug>/work/", include(work_urls)),
    path("projects/<slug:slug>/media/", include(media_urls)),
]
