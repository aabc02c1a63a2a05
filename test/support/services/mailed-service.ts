import type { Scope } from '../scope.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../servers/smtp-receiver.ts'
import type { AskedService } from './asked-service.ts'
import { type People, peopleOf } from './people.ts'
import { startServiceHere } from './service-here.ts'

export type MailedService = { smtp: SmtpReceiver; service: AskedService; people: People }

/** A service that answers and mails, the server that takes its mail, and people at addresses of their own. */
export async function startMailedService(
  scope: Scope,
  settings: Record<string, string> = {},
): Promise<MailedService> {
  const smtp = await startSmtpReceiver(scope)
  const service = await startServiceHere({
    ROLES: 'api,alerts',
    TRUST_PROXY: '1',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    ...settings,
  })
  scope.after(() => service.close())
  return { smtp, service, people: peopleOf(service) }
}
