import FluxCore

/// A middleware that passes each action on unchanged.
let passing: Middleware<Counter> = { _, _ in { next in { action in next(action) } } }

// These workloads have no floor. The compiler would merge an equal handwritten closure with this
// closure, which would make the closure more expensive.
let middlewareWorkloads: [Workload] = [1, 2, 3, 10, 11].map { count in
  Workload("middleware-\(count)", "a dispatch through \(count) pass-through middleware") {
    counting(countingStore(middleware: Array(repeating: passing, count: count)))
  }
}
