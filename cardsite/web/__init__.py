"""Request handling: the ASGI handler, security headers, health, error pages."""
