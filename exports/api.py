"""Imports over REST: upload and check, look at the report, import or check again, cancel."""

import uuid
from typing import Any, NoReturn, cast

import msgspec
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotate.access import Permission, ProjectPermission
from annotate.actions.jobs import TooManyJobs, cancel
from annotate.models import Project, User
from exports.actions import RequestRefused, proceed, request_import
from exports.enums import ImportPhase
from exports.import_choices import ImportChoices, choices_from
from exports.models import Import

SHOWN = 50


class ImportSerializer(serializers.ModelSerializer[Import]):
    id = serializers.UUIDField(source="public_id")
    batch = serializers.CharField(source="batch_name")
    can_proceed = serializers.BooleanField()

    class Meta:
        model = Import
        fields = [
            "id", "phase", "state", "progress", "total", "error", "file_name", "batch", "format", "choices", "report",
            "created_count", "judgement_count", "problem_count", "problems", "can_proceed", "created_at",
        ]  # fmt: skip
        read_only_fields = fields


class UploadSerializer(serializers.Serializer[Any]):
    """``phase``: ``check`` looks at the file only, ``load`` imports it at once if nothing is wrong."""

    file = serializers.FileField()
    batch = serializers.CharField(max_length=120, required=False, default="")
    format = serializers.CharField(required=False, default="", allow_blank=True)
    phase = serializers.ChoiceField(choices=ImportPhase.choices, default=ImportPhase.CHECK)
    choices = serializers.JSONField(required=False, default=dict)


class ProceedSerializer(serializers.Serializer[Any]):
    phase = serializers.ChoiceField(choices=ImportPhase.choices, default=ImportPhase.LOAD)
    batch = serializers.CharField(max_length=120, required=False, default="")
    format = serializers.CharField(required=False, default="", allow_blank=True)
    choices = serializers.JSONField(required=False, default=dict)


class ImportList(APIView):
    """The imports of a project, newest first; POST uploads a file."""

    permission_classes = [ProjectPermission]
    parser_classes = [MultiPartParser]
    required_permission = Permission.IMPORT
    project: Project

    def get(self, request: Request, slug: str) -> Response:
        jobs = self.project.imports.select_related("project")[:SHOWN]
        return Response(ImportSerializer(jobs, many=True).data)

    def post(self, request: Request, slug: str) -> Response:
        given = _given(UploadSerializer, request)
        upload = given["file"]
        try:
            job = request_import(
                project=self.project,
                chunks=upload.chunks(),
                file_name=upload.name,
                batch_name=given["batch"].strip() or upload.name[:120],
                format_name=given["format"],
                choices=_choices(given["choices"]),
                check_only=given["phase"] == ImportPhase.CHECK,
                by=cast(User, request.user),
            )
        except (RequestRefused, TooManyJobs) as error:
            _refuse(error)
        return Response(ImportSerializer(job).data, status=status.HTTP_202_ACCEPTED)


class ImportDetail(APIView):
    """One import with its report; POST imports it or checks it again with other choices, DELETE cancels it."""

    permission_classes = [ProjectPermission]
    parser_classes = [JSONParser]
    required_permission = Permission.IMPORT
    project: Project

    def get(self, request: Request, slug: str, public_id: uuid.UUID) -> Response:
        return Response(ImportSerializer(self._job(public_id)).data)

    def post(self, request: Request, slug: str, public_id: uuid.UUID) -> Response:
        job, given = self._job(public_id), _given(ProceedSerializer, request)
        try:
            proceed(
                job=job,
                phase=ImportPhase(given["phase"]),
                batch_name=given["batch"].strip() or job.batch_name,
                format_name=given["format"] or job.format,
                choices=_choices(given["choices"] or job.choices),
                by=cast(User, request.user),
            )
        except RequestRefused as error:
            _refuse(error)
        return Response(ImportSerializer(self._job(public_id)).data, status=status.HTTP_202_ACCEPTED)

    def delete(self, request: Request, slug: str, public_id: uuid.UUID) -> Response:
        job = self._job(public_id)
        cancel(job, by=cast(User, request.user))
        return Response(ImportSerializer(self._job(public_id)).data)

    def _job(self, public_id: uuid.UUID) -> Import:
        return get_object_or_404(Import.objects.select_related("project"), project=self.project, public_id=public_id)


def _given(serializer: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    given = serializer(data=request.data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


def _choices(given: object) -> ImportChoices:
    try:
        return choices_from(given)
    except msgspec.ValidationError as error:
        raise ValidationError({"choices": [_("%(problem)s.") % {"problem": error}]}) from error


def _refuse(error: RequestRefused | TooManyJobs) -> NoReturn:
    raise ValidationError({getattr(error, "field", "") or "non_field_errors": [str(error)]}) from error
