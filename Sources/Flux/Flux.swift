// `import Flux` gives everything but the test kit.
@_exported public import FluxAsync
@_exported public import FluxCollections
@_exported public import FluxCore
@_exported public import FluxLists
@_exported public import FluxMiddleware
@_exported public import FluxUI
