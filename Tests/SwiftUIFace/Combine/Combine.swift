// OpenCombine under the name that Apple's systems give to Combine.
@_exported public import OpenCombine
