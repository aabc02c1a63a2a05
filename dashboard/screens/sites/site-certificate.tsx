import { sayCount } from '../../language/count.ts'
import { rich, t } from '../../language/language.ts'
import { Fact, FactList } from '../../parts/facts.tsx'
import { sayDay } from '../../parts/maintenance/zoned-text.ts'
import { Panel } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'
import type { Site } from './site-data.ts'

const SHOWN_NAMES = 8

/** The chain of the certificate, the one of the site first. */
export function SiteChain({ site: { chain } }: { site: Site }) {
  if (chain.length === 0) return null
  return (
    <Panel title={t('Certificate chain')}>
      <ol className="divide-y divide-line">
        {chain.map(({ subject, issuer, names, expires_at, fingerprint }) => (
          <li key={fingerprint} className="px-4 py-2.5">
            <p className="font-medium break-words">{subject}</p>
            <p className="text-sm break-words text-soft">{t('Issued by {issuer}', { issuer })}</p>
            <p className="text-sm">{rich('Ends {time}', { time: <Time at={expires_at} as="date" /> })}</p>
            {names.length > 0 && <p className="text-sm break-all text-soft">{sayNames(names)}</p>}
            <p className="font-mono text-xs break-all text-soft">{fingerprint}</p>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function sayNames(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).join(', ')
  const rest = names.length - SHOWN_NAMES
  return rest > 0 ? t('{names} and {count} more', { names: shown, count: sayCount(rest) }) : shown
}

export function SiteDomain({ site: { domain } }: { site: Site }) {
  return (
    <Panel title={t('Domain')}>
      <FactList>
        <Fact name={t('Name')}>{domain.name ?? t('None')}</Fact>
        {domain.name !== null && (
          <Fact name={t('Registered until')}>
            {domain.expires_on === null ? t('Not known') : sayDay(domain.expires_on)}
          </Fact>
        )}
        <Fact name={t('Source')}>{t(domain.source)}</Fact>
      </FactList>
    </Panel>
  )
}
