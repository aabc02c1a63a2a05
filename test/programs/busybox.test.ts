import { testAgentLife, testAgentLists } from '../support/agent/agent-life.ts'
import { find, type Programs } from '../support/agent/agent-machine.ts'

const BUSYBOX = { path: find('busybox') }
const APPLETS =
  'cat chmod chown cut date df env grep head mkdir rm rmdir sed sha256sum sort tail timeout tr uname wget'.split(
    ' ',
  )

/** As on Alpine: nothing that busybox is not. */
const ALPINE: Programs = {
  ...Object.fromEntries(APPLETS.map((name) => [name, BUSYBOX])),
  getconf: { script: 'exit 127' },
}

testAgentLife('busybox, without curl', [BUSYBOX.path, 'ash'], ALPINE)
testAgentLife('busybox, with curl', [BUSYBOX.path, 'ash'], { ...ALPINE, curl: { path: find('curl') } })
testAgentLists('busybox', [BUSYBOX.path, 'ash'], ALPINE)
