import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from './config.ts'

const PORT_TAKEN_TRIES = 20
const PORT_TAKEN_WAIT_MS = 250

type Address = Pick<Config, 'port' | 'host'>

/** Opens a port; waits a little while another service, which was told to stop, still drains. Throws `PortRefused`. */
export async function openPort(server: net.Server, { port, host }: Address): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      server.listen(port, host)
      await once(server, 'listening')
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EADDRINUSE' || tries === PORT_TAKEN_TRIES) throw refusalOf(error as Error, { port, host })
      await delay(PORT_TAKEN_WAIT_MS)
    }
  }
}

/** Fails before anything is started if the port cannot be opened. */
export async function refuseTakenPort(address: Address): Promise<void> {
  const server = net.createServer()
  await openPort(server, address)
  server.close()
  await once(server, 'close')
}

/** A port that cannot be opened: one line with the settings and what to do. */
export class PortRefused extends Error {
  override name = 'PortRefused'
}

function refusalOf(error: NodeJS.ErrnoException, { port, host }: Address): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new PortRefused(`Port ${port} of ${host} is in use: stop the program that has it, or set PORT.`)
    case 'EACCES':
      return new PortRefused(`Port ${port} may not be opened by this user: set PORT to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new PortRefused(`HOST is ${JSON.stringify(host)}, which is no address of this machine.`)
    default:
      return error
  }
}
