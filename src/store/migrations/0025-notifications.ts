import { createSqlMigration } from "./migration-list.ts";

/** What targets of notifications are to be told, and what they were told last about each subject. */
export const notifications = createSqlMigration([
  `create table notifications (
    notification_id bigint generated always as identity primary key,
    target text not null,
    event text not null,
    repository_id bigint,
    notification jsonb not null,
    is_digest boolean not null,
    state text not null,
    due_at timestamptz not null,
    attempts integer not null,
    message_id text,
    attempted_at timestamptz,
    problem text,
    created_at timestamptz not null)`,
  "create index notifications_due on notifications (target, due_at) where state = 'waiting'",
  "create index notifications_attempted on notifications (target, attempted_at)",
  `create table notified_changes (
    target text not null,
    subject text not null,
    change text not null,
    changed_at timestamptz not null,
    primary key (target, subject))`,
]);
