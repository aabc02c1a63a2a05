import { TOO_BUSY } from '../core/monitors/cause.ts'
import { startDeadline } from './deadline.ts'
import { dial } from './dial.ts'
import type { Network } from './network.ts'

const LIMIT_MS = 10_000

export type WhoisAnswer = { kind: 'answered'; text: string } | { kind: 'failed'; reason: string }

/**
 * Asks a WHOIS server one question (RFC 3912), over a connection to an address that is judged like any other. An answer
 * that breaks off is kept as far as it came, at most `maxBytes`.
 */
export async function askWhois(
  network: Network,
  { server, question, maxBytes }: { server: string; question: string; maxBytes: number },
  signal: AbortSignal,
): Promise<WhoisAnswer> {
  const deadline = startDeadline(LIMIT_MS, signal, network.loop)
  try {
    const dialed = await dial(
      network,
      { kind: 'registry', host: server, port: network.ports.whois },
      deadline.signal,
    )
    if (dialed.kind !== 'connected') return { kind: 'failed', reason: dialed.reason }
    deadline.progress()
    const { socket } = dialed
    const kept: Buffer[] = []
    let keptBytes = 0
    await new Promise<void>((resolve) => {
      const end = () => resolve()
      if (deadline.signal.aborted) return end()
      deadline.signal.addEventListener('abort', end, { once: true })
      socket.on('data', (chunk: Buffer) => {
        kept.push(chunk)
        keptBytes += chunk.length
        if (keptBytes >= maxBytes) end()
      })
      socket.once('close', end)
      socket.once('end', end)
      socket.write(question)
    })
    socket.destroy()
    if (deadline.end() === 'stalled') return { kind: 'failed', reason: TOO_BUSY }
    if (keptBytes === 0) return { kind: 'failed', reason: `${server} gave no answer` }
    return { kind: 'answered', text: textOf(Buffer.concat(kept).subarray(0, maxBytes)) }
  } finally {
    deadline.stop()
  }
}

/** Registries write UTF-8 or Latin-1, and do not say which. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.includes('\u{fffd}') ? bytes.toString('latin1') : text
}
