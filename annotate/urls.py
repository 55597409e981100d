"""Addresses of the labelling pages."""

from django.urls import include, path

from annotate import converters
from annotate.views import (
    accounts,
    adjudication,
    annotation_history,
    audit_lots,
    differences,
    history,
    jobs,
    media,
    own_reviews,
    projects,
    review_settings,
    reviews,
    rewrites,
    texts,
    work,
)

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
reviews_urls = (
    [
        path("feedback/", own_reviews.mine, name="mine"),
        path("feedback/verdicts/<int:review>/answer/", own_reviews.answer_verdict, name="answer"),
        path("feedback/verdicts/<int:review>/appeal/", own_reviews.appeal_verdict, name="appeal"),
        path("judgements/<int:annotation>/", annotation_history.history, name="annotation"),
        path("judgements/<int:annotation>/comment/", annotation_history.comment_on, name="comment"),
        path("judgements/<int:annotation>/choose/", annotation_history.choose_by_hand, name="choose"),
        path("judgements/<int:annotation>/restore/", annotation_history.restore_revision, name="restore"),
        path("reviews/", reviews.queue, name="queue"),
        path("reviews/items/<int:item>/", reviews.item_page, name="item"),
        path("reviews/items/<int:item>/fix/", reviews.fix_page, name="fix"),
        path("reviews/appeals/<int:appeal>/", own_reviews.settle_appeal, name="settle"),
        path("reviews/disputes/<int:dispute>/", adjudication.dispute_page, name="dispute"),
        path("reviews/disputes/<int:dispute>/preview/", adjudication.dispute_preview, name="dispute_preview"),
        path("reviews/lots/", audit_lots.lots, name="lots"),
        path("reviews/lots/<int:lot>/", audit_lots.lot_page, name="lot"),
        path("reviews/settings/", review_settings.edit, name="settings"),
    ],
    "reviews",
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
    path("projects/<slug:slug>/", include(reviews_urls)),
    path("projects/<slug:slug>/media/", include(media_urls)),
]
