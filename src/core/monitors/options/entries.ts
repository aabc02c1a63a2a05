import { AUTH } from './auth.ts'
import { CONNECTION } from './connection.ts'
import { DATABASES } from './databases.ts'
import { DNS } from './dns.ts'
import { DOMAIN } from './domain.ts'
import { EXPECTATIONS } from './expectations.ts'
import { GROUPS } from './groups.ts'
import { HEARTBEATS } from './heartbeats.ts'
import type { Option } from './option.ts'
import { PATIENCE } from './patience.ts'
import { BROWSER } from './protocols/browser.ts'
import { DOCKER } from './protocols/docker.ts'
import { GAME } from './protocols/game.ts'
import { GRPC } from './protocols/grpc.ts'
import { SIGN_INS } from './protocols/sign-ins.ts'
import { SNMP_OPTIONS } from './protocols/snmp.ts'
import { STEPS } from './protocols/steps.ts'
import { TIME_SERVER } from './protocols/time-server.ts'
import { REQUEST } from './request.ts'
import { SECURITY } from './security.ts'
import { SEND } from './send.ts'
import { TLS } from './tls.ts'
import { WEBSOCKET } from './websocket.ts'

/** Every option of monitors, in the order of answers, documents and forms. */
export const OPTIONS = {
  ...GROUPS,
  ...HEARTBEATS,
  ...STEPS,
  ...BROWSER,
  ...REQUEST,
  ...DNS,
  ...WEBSOCKET,
  ...SEND,
  ...GRPC,
  ...SNMP_OPTIONS,
  ...SIGN_INS,
  ...GAME,
  ...DOCKER,
  ...DATABASES,
  ...AUTH,
  ...DOMAIN,
  ...TIME_SERVER,
  ...EXPECTATIONS,
  ...PATIENCE,
  ...SECURITY,
  ...CONNECTION,
  ...TLS,
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof OPTIONS
