import type pg from 'pg'

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

/** Runs one short statement, outside any transaction, on a connection that others use at the same time. */
export type RunShared = <Row extends pg.QueryResultRow>(
  statement: pg.QueryConfig,
) => Promise<pg.QueryResult<Row>>

type Lane = { pending: number; client: Promise<pg.PoolClient> }

/**
 * Sends short statements of many callers over few pipelined connections: those that are started together share a write,
 * and one process of the server answers them without sleeping in between. Each goes where the fewest are under way, so a
 * connection is shared only when all of them are busy. They must not take long, nor wait for locks of more than one
 * statement: those behind them on the connection would wait as well.
 */
export function shareConnections(pool: pg.Pool, maxLanes: number): RunShared {
  const lanes: Lane[] = []

  function laneToUse(): Lane {
    const idlest = lanes.reduce<Lane | null>(
      (least, lane) => (least === null || lane.pending < least.pending ? lane : least),
      null,
    )
    if (idlest !== null && lanes.length >= maxLanes) return idlest
    const lane = { pending: 0, client: pool.connect() }
    lanes.push(lane)
    return lane
  }

  /** A connection that failed answers nobody who comes later. */
  function close(lane: Lane) {
    const index = lanes.indexOf(lane)
    if (index >= 0) lanes.splice(index, 1)
  }

  return async (statement) => {
    const lane = laneToUse()
    lane.pending++
    try {
      return await (await lane.client).query(statement)
    } catch (error) {
      if (!isAnswer(error)) close(lane)
      throw error
    } finally {
      if (--lane.pending === 0) {
        close(lane)
        void lane.client.then(
          (client) => client.release(),
          () => {},
        )
      }
    }
  }
}

/** Whether the server said it, on a connection that works. */
function isAnswer(error: unknown): boolean {
  return typeof (error as { severity?: unknown }).severity === 'string'
}
