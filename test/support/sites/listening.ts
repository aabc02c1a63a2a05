import type http from 'node:http'
import type https from 'node:https'
import type { AddressInfo } from 'node:net'

type Scope = { after: (close: () => Promise<void>) => void }

/** The port on which a server listens here until the scope ends; then open connections are cut. */
export async function listenHere(scope: Scope, server: http.Server | https.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  scope.after(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return (server.address() as AddressInfo).port
}
