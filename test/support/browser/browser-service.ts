import { processScope } from '../scope.ts'
import { likeTelegram, type Receiver, startReceiver } from '../servers/receivers.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../servers/smtp-receiver.ts'
import type { AskedService } from '../services/asked-service.ts'
import { startServiceHere } from '../services/service-here.ts'

export const BOT_TOKEN = '123456789:AAE-x_y'
export const CHAT_ID = '-1001234567890'

export type BrowserService = AskedService & { smtp: SmtpReceiver; telegram: Receiver }

let started: Promise<BrowserService> | undefined

/**
 * The service whose screens all files of test/browser open that need no other: with every role, in a region, believing
 * its proxy, and with receivers of its own for mail and Telegram. Each file makes teams and people of its own, named
 * as in no other file.
 */
export function browserService(): Promise<BrowserService> {
  started ??= start()
  return started
}

async function start(): Promise<BrowserService> {
  const smtp = await startSmtpReceiver(processScope)
  const telegram = await startReceiver(processScope, likeTelegram(BOT_TOKEN, CHAT_ID))
  const service = await startServiceHere({
    REGION: 'lon',
    TRUST_PROXY: '1',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    TELEGRAM_API_URL: telegram.url,
  })
  processScope.after(() => service.close())
  return { ...service, smtp, telegram }
}
