/** Larger batches gain nothing and delay the next one. */
const MAX_BATCH = 500

type Waiting<Call, Answer> = {
  call: Call
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Runs calls in batches, one batch at a time. Calls made during a batch share the next, so the cost per call
 * falls as load rises. `runBatch` returns the answers in the order of the calls; if it throws, all of them
 * fail with that error.
 */
export function gather<Call, Answer>(
  runBatch: (calls: Call[]) => Promise<Answer[]>,
): (call: Call) => Promise<Answer> {
  let waiting: Waiting<Call, Answer>[] = []
  let running = false

  async function runAll() {
    running = true
    while (waiting.length > 0) {
      // Yield once, so that calls made together share a batch.
      await new Promise<void>((turn) => setImmediate(turn))
      const batch = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      await settle(batch)
    }
    running = false
  }

  async function settle(batch: Waiting<Call, Answer>[]) {
    try {
      const answers = await runBatch(batch.map(({ call }) => call))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject })
      if (!running) void runAll()
    })
}
