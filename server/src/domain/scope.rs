//! Who owns a memory: the isolation key (contract, section 2).

use super::id::{AppName, ProjectId, UserId};

/// One user of one application: the unit of isolation, of ranking statistics and of erasure.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tenant {
    /// The application.
    pub app_name: AppName,
    /// Its user.
    pub user_id: UserId,
}

/// A tenant's global memory, or the memory of one of its projects.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scope {
    /// Whose memory it is.
    pub tenant: Tenant,
    /// The project; `None` is the global scope.
    pub project_id: Option<ProjectId>,
}
