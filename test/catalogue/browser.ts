import { closedPort, startTcp } from '../support/servers/targets.ts'
import type { Group } from './case.ts'

/** Failures before a browser is needed; those in one: test/probes/browser/browser.test.ts. */
export const browser: Group = {
  title: 'Pages in a browser',
  cases: [
    {
      ...{ name: 'Nothing listens on the port of the page', type: 'browser', status: 'down' },
      cause: 'connection refused by <address>',
      start: async (scope) => {
        const address = `127.0.0.1:${await closedPort(scope)}`
        return { settings: { url: `http://${address}/` }, words: { address } }
      },
    },
    {
      ...{ name: 'The service has no browser', type: 'browser', status: 'pending' },
      cause: 'there is no browser here: set BROWSER_PATH',
      start: async (scope) => {
        const target = await startTcp(scope)
        return { settings: { url: `http://127.0.0.1:${target.port}/` }, targets: [target] }
      },
    },
  ],
}
