import type { Duplex } from 'node:stream'

const HEAD_END = '\r\n\r\n'

/** The other side hung up, or time ran out, before all of it came. */
export class NoBytes extends Error {}

/** Reads so many bytes, and leaves what follows in the connection. */
export function readBytes(socket: Duplex, length: number, signal: AbortSignal): Promise<Buffer> {
  return readBy(socket, signal, () => {
    const bytes: Buffer | null = socket.read(length)
    // At its end a stream gives what there is.
    return bytes === null || bytes.length < length ? null : bytes
  })
}

/** Reads a head of HTTP with its empty line, and leaves what follows in the connection. Null once it is too long. */
export function readHead(socket: Duplex, maxBytes: number, signal: AbortSignal): Promise<string | null> {
  let all = Buffer.alloc(0)
  return readBy<string | false>(socket, signal, () => {
    for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) {
      all = Buffer.concat([all, piece])
      const end = all.indexOf(HEAD_END)
      if (end >= 0) {
        const rest = all.subarray(end + HEAD_END.length)
        if (rest.length > 0) socket.unshift(rest)
        return all.toString('latin1', 0, end)
      }
      if (all.length > maxBytes) return false
    }
    return null
  }).then((head) => (head === false ? null : head))
}

/** Waits until `attempt` gives something else than null. */
function readBy<T>(socket: Duplex, signal: AbortSignal, attempt: () => T | null): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      socket.off('readable', look)
      socket.off('end', hangUp)
      socket.off('close', hangUp)
      signal.removeEventListener('abort', hangUp)
      settle()
    }
    const look = () => {
      const found = attempt()
      if (found !== null) end(() => resolve(found))
    }
    const hangUp = () => end(() => reject(new NoBytes('hung up')))
    if (signal.aborted || socket.destroyed) return hangUp()
    socket.on('readable', look)
    socket.once('end', hangUp)
    socket.once('close', hangUp)
    signal.addEventListener('abort', hangUp, { once: true })
    look()
  })
}
