// `import Flux` imports all modules of this package except FluxTesting, which is for test
// targets.
@_exported public import FluxAsync
@_exported public import FluxCollections
@_exported public import FluxCore
@_exported public import FluxLists
@_exported public import FluxMiddleware
@_exported public import FluxQuery
@_exported public import FluxUI
