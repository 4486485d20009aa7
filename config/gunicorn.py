"""How gunicorn serves the site: ``gunicorn --config python:config.gunicorn``."""

from __future__ import annotations

from config import environment as env

wsgi_app = "config.wsgi:application"
worker_class = "gthread"
workers = env.number("WEB_PROCESSES", 1)
threads = env.number("WEB_THREADS", 8)
graceful_timeout = 10
loglevel = "warning"
control_socket_disable = True
