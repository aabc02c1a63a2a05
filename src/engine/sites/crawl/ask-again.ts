import type { AddressAnswer, AddressRequest, AskPage, Turn } from '../../../core/sites/crawl/asking.ts'

/** Trouble of ours is tried again so often. */
const MAX_TRIES = 3

type Asking = { ask: AskPage; signal: AbortSignal }

/** Asks until the answer is not trouble of ours. */
export async function askAgain(
  { ask, signal }: Asking,
  request: AddressRequest,
  turn: Turn,
): Promise<AddressAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask(request, turn, signal)
    if (answer.asked.kind !== 'inconclusive' || tries === MAX_TRIES || signal.aborted) return answer
  }
}

/** Asks once more for an address that fails in a way that may be over at once. */
export async function askTwice(asking: Asking, request: AddressRequest, turn: Turn): Promise<AddressAnswer> {
  const answer = await askAgain(asking, request, turn)
  const { asked } = answer
  const mayPass = asked.kind === 'no_answer' || (asked.kind === 'answered' && asked.statusCode >= 500)
  return mayPass && !asking.signal.aborted ? askAgain(asking, request, turn) : answer
}
