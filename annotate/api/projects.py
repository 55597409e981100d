"""Projects over REST: what the person is in, and one project's configuration and progress."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotate.access import Permission, ProjectPermission, visible_projects
from annotate.models import Dimension, Project
from annotate.queries.judging import current_dimensions
from annotate.queries.progress import project_counts


class ProjectSerializer(serializers.ModelSerializer[Project]):
    class Meta:
        model = Project
        fields = [
            "slug", "name", "description", "state", "preset", "overlap", "margin_levels", "allow_tie",
            "allow_all_bad", "allow_cannot_judge", "justification", "justification_min_length", "rubric_version",
        ]  # fmt: skip
        read_only_fields = fields


class DimensionSerializer(serializers.ModelSerializer[Dimension]):
    class Meta:
        model = Dimension
        fields = ["key", "label", "definition", "kind", "target", "minimum", "maximum", "points", "is_required"]
        read_only_fields = fields


class ProjectList(ListAPIView[Project]):
    """The projects that the person is in."""

    permission_classes = [ProjectPermission]
    required_permission = None
    serializer_class = ProjectSerializer

    def get_queryset(self) -> QuerySet[Project]:
        return visible_projects(self.request.user)


class ProjectDetail(APIView):
    """One project with its dimensions and counts."""

    permission_classes = [ProjectPermission]
    required_permission = Permission.SEE_GUIDELINES
    project: Project

    def get(self, request: Request, slug: str) -> Response:
        data: dict[str, Any] = dict(ProjectSerializer(self.project).data)
        data["dimensions"] = DimensionSerializer(current_dimensions(self.project), many=True).data
        data["progress"] = project_counts(self.project)
        return Response(data)
