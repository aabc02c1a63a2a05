-- What operators have set in the dashboard, in one row. The environment wins over it.
CREATE TABLE service_settings (
  id int PRIMARY KEY CHECK (id = 1),
  site_url text,
  smtp_url text, -- encrypted
  mail_from text,
  changed_at timestamptz NOT NULL DEFAULT now()
);
-- Mails that try settings before they are saved. A row lives for a minute or two; its settings go once it is sent.
CREATE TABLE mail_tests (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id int NOT NULL REFERENCES users ON DELETE CASCADE, -- who asked, gets the mail, and alone may read the result
  settings text, -- encrypted
  is_claimed boolean NOT NULL DEFAULT false,
  result jsonb,
  expires_at timestamptz NOT NULL
);
CREATE INDEX mail_tests_waiting ON mail_tests (id) WHERE NOT is_claimed;
CREATE INDEX mail_tests_expired ON mail_tests (expires_at);
CREATE INDEX mail_tests_user ON mail_tests (user_id);
