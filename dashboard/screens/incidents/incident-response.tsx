import { MessageSquare, Siren, UserCheck, UserX } from 'lucide-react'
import type { ResponseEvent } from '../../../src/core/on-call/response.ts'
import { sayResponse } from '../../../src/core/on-call/response-words.ts'
import { t } from '../../language/language.ts'

/** An action of people on an incident, or a call for them, in its timeline. */
export function ResponseSaid({ event }: { event: ResponseEvent }) {
  return <span className="whitespace-pre-line">{sayResponse(event, t)}</span>
}

export function ResponseIcon({ kind }: { kind: ResponseEvent['kind'] }) {
  const { Icon, look } = ICONS[kind]
  return <Icon size={16} aria-hidden className={look} />
}

const ICONS = {
  acknowledged: { Icon: UserCheck, look: 'text-up' },
  withdrawn: { Icon: UserX, look: 'text-degraded' },
  note: { Icon: MessageSquare, look: 'text-soft' },
  step: { Icon: Siren, look: 'text-down' },
  reminder: { Icon: Siren, look: 'text-soft' },
} as const satisfies Record<ResponseEvent['kind'], unknown>
