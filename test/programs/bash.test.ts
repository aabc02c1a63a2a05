import { testAgentLife } from '../support/agent/agent-life.ts'
import { find } from '../support/agent/agent-machine.ts'

testAgentLife('bash', [find('bash')], { curl: { path: find('curl') } })
