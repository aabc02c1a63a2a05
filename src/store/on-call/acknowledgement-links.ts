import { type AcknowledgementLink, linkText, readLink } from '../../core/on-call/acknowledgement.ts'
import type { Vault } from '../sealing/vault.ts'

const PURPOSE = 'acknowledge'

/** The address by which a contact acknowledges an incident. */
export function acknowledgementUrl(siteUrl: string, vault: Vault, link: AcknowledgementLink): string {
  const text = linkText(link)
  return `${siteUrl}/ack/${text}-${vault.sign(text, PURPOSE)}`
}

/** The incident and the contact of a link; null unless it was signed here. */
export function openLink(vault: Vault, token: string): AcknowledgementLink | null {
  const read = readLink(token)
  return read && vault.isSigned(linkText(read.link), PURPOSE, read.signature) ? read.link : null
}
