import FluxCore

/// A middleware that passes on.
let passing: Middleware<Counter> = { _, _ in { next in { action in next(action) } } }

// Without a floor: a closure by hand that does the same would be merged with this one, and make it dearer.
let middlewareWorkloads: [Workload] = [1, 2, 3, 10, 11].map { count in
  Workload("middleware-\(count)", "a dispatch through \(count) pass-through middleware") {
    counting(countingStore(middleware: Array(repeating: passing, count: count)))
  }
}
