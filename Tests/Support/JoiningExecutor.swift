/// An executor that runs each job on another thread, and waits until the job suspends or ends.
///
/// A task on this executor continues while the thread that resumes it waits. A test therefore
/// observes what is true at the moment of the resumption.
package final class JoiningExecutor: TaskExecutor {
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Worker { job.runSynchronously(on: self.asUnownedTaskExecutor()) }.join()
  }
}
