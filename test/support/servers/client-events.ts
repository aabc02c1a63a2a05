import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/*
 * Events of the HTTP clients in this process, as Node reports them: a server knows what it said, but not whether it
 * was heard.
 */

/** The socket of the next client of this process, once it is connected. */
export async function nextConnection(): Promise<Socket> {
  const { socket } = await nextMessage<{ socket: Socket }>('net.client.socket')
  if (socket.connecting) await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

/** Resolves when the next client of this process has the headers of its answer. */
export async function nextAnswer(): Promise<void> {
  await nextMessage('http.client.response.finish')
}

/** Resolves when it has a part of the body, too. */
export async function nextAnswerPart(): Promise<void> {
  const { response } = await nextMessage<{ response: IncomingMessage }>('http.client.response.finish')
  await new Promise((resolve) => response.once('data', resolve))
}

function nextMessage<T>(channel: string): Promise<T> {
  return new Promise((resolve) => {
    const hear = (message: unknown) => {
      diagnostics.unsubscribe(channel, hear)
      resolve(message as T)
    }
    diagnostics.subscribe(channel, hear)
  })
}
