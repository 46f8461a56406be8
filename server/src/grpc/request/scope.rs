//! Who a request is about.

use crate::domain::{AppName, ProjectId, Scope, SessionId, Tenant, UserId, Violations};

/// The tenant that two fields name.
pub(super) fn tenant(
    app_name: String,
    user_id: String,
    violations: &mut Violations,
) -> Option<Tenant> {
    let app_name = violations.check("app_name", AppName::new(app_name));
    let user_id = violations.check("user_id", UserId::new(user_id));
    Some(Tenant { app_name: app_name?, user_id: user_id? })
}

/// The scope that three fields name. A project that is there but empty is a mistake everywhere.
pub(super) fn scope(
    app_name: String,
    user_id: String,
    project_id: Option<String>,
    violations: &mut Violations,
) -> Option<Scope> {
    let tenant = tenant(app_name, user_id, violations);
    let project_id = match project_id {
        None => Some(None),
        Some(project) => violations.check("project_id", ProjectId::new(project)).map(Some),
    };
    Some(Scope { tenant: tenant?, project_id: project_id? })
}

/// The session that a field names.
pub(super) fn session(session_id: String, violations: &mut Violations) -> Option<SessionId> {
    violations.check("session_id", SessionId::new(session_id))
}
