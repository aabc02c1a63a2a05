import { processScope } from '../scope.ts'
import { startReceiver } from '../servers/receivers.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../servers/smtp-receiver.ts'
import { likeVendors, vendorSettings } from '../servers/strict-receivers.ts'
import type { AskedService } from '../services/asked-service.ts'
import { startServiceHere } from '../services/service-here.ts'

export type BrowserService = AskedService & { smtp: SmtpReceiver }

let started: Promise<BrowserService> | undefined

/**
 * The service whose screens all files of test/browser open that need no other: with every role, in a region, believing
 * its proxy, and with receivers of its own for mail and the vendors of chats and pagers. Each file makes teams and people of its own, named
 * as in no other file.
 */
export function browserService(): Promise<BrowserService> {
  started ??= start()
  return started
}

async function start(): Promise<BrowserService> {
  const smtp = await startSmtpReceiver(processScope)
  const vendors = await startReceiver(processScope, likeVendors)
  const service = await startServiceHere({
    REGION: 'lon',
    TRUST_PROXY: '1',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    ...vendorSettings(vendors.url),
  })
  processScope.after(() => service.close())
  return { ...service, smtp }
}
