// OpenCombine under the name of Apple's Combine.
@_exported public import OpenCombine
