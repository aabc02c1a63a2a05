import { testAgentLife } from '../support/agent/agent-life.ts'
import { find } from '../support/agent/agent-machine.ts'

const DASH = [find('dash')]

testAgentLife('dash with curl', DASH, { curl: { path: find('curl') } })
testAgentLife('dash with wget and without curl', DASH, { wget: { path: find('wget') } })
