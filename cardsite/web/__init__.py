"""How a request is served: the ASGI handler, security headers, health, error pages."""
