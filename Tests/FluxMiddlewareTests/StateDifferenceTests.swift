import FluxMiddleware
import Testing
