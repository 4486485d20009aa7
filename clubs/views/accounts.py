"""Signing in and out, and one's own account."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


@login_required
def account(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/account.html", {"nav": "account"})
