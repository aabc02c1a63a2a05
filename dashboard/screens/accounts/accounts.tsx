import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AccountFrame } from '../../app/account-frame.tsx'
import { accountsQuestion } from '../../data/account.ts'
import { useSession } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Refused } from '../../parts/feedback/refused.tsx'
import { TextField } from '../../parts/field.tsx'
import { Pages } from '../../parts/pages.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { Rows } from '../../parts/rows.tsx'
import { AccountLine } from './accounts-line.tsx'

/** Every account of the service, for its operators. */
export default function Accounts() {
  const { user } = useSession()
  return (
    <AccountFrame>
      <PageHead title={t('Accounts')}>{t('Everyone who can sign in to this service')}</PageHead>
      {user.is_operator ? (
        <AccountList />
      ) : (
        <Panel>
          <Empty title={t('Operators only')}>
            {t('Only the operators of this service can manage its accounts.')}
          </Empty>
        </Panel>
      )}
    </AccountFrame>
  )
}

function AccountList() {
  const [{ search, page }, show] = useState({ search: '', page: 1 })
  const { data, error } = useQuery({ ...accountsQuestion(search, page), placeholderData: keepPreviousData })
  return (
    <div className="flex flex-col gap-5">
      <search>
        <TextField
          label={t('Search')}
          type="search"
          value={search}
          maxLength={255}
          hint={t('Part of a name or address')}
          onChange={({ target }) => show({ search: target.value, page: 1 })}
        />
      </search>
      <Panel>
        {error ? (
          <div className="p-4">
            <Refused error={error} />
          </div>
        ) : !data ? (
          <Waiting lines={8} />
        ) : data.accounts.length === 0 ? (
          <Empty title={t('No accounts found')}>{t('No name or address contains this text.')}</Empty>
        ) : (
          <>
            <Rows label={t('Accounts')}>
              {data.accounts.map((account) => (
                <AccountLine key={account.id} account={account} />
              ))}
            </Rows>
            <Pages meta={data.meta} onPage={(next) => show({ search, page: next })} />
          </>
        )}
      </Panel>
    </div>
  )
}
