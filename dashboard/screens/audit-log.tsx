import { PageHead } from '../parts/panel.tsx'

export default function AuditLog() {
  return <PageHead title="Audit log" />
}
