//! Reflection, in both versions that clients speak (contract, section 11).

use std::collections::BTreeSet;

use memoryd::{Config, StoreKind};
use prost::Message;
use prost_types::FileDescriptorProto;
use tonic::Code;

use crate::harness::TestServer;

/// Services and their files.
const SERVICES: [(&str, &str); 2] = [
    ("memoryd.v1.MemoryService", "memoryd/v1/memory.proto"),
    ("grpc.health.v1.Health", "health.proto"),
];

/// The error details that the server sends, and more of their kind.
const DETAILS: [&str; 6] = [
    "google.rpc.ErrorInfo",
    "google.rpc.BadRequest",
    "google.rpc.BadRequest.FieldViolation",
    "google.rpc.RetryInfo",
    "google.rpc.QuotaFailure",
    "google.rpc.ResourceInfo",
];

/// What a test asks, in the messages of one version.
macro_rules! reflection_client {
    ($module:ident, $version:ident) => {
        mod $module {
            use prost::Message;
            use prost_types::FileDescriptorProto;
            use tonic_reflection::pb::$version::ServerReflectionRequest;
            use tonic_reflection::pb::$version::server_reflection_client::ServerReflectionClient;
            use tonic_reflection::pb::$version::server_reflection_request::MessageRequest;
            use tonic_reflection::pb::$version::server_reflection_response::MessageResponse;

            use crate::harness::TestServer;

            pub(super) async fn list(server: &TestServer) -> Vec<String> {
                match ask(server, MessageRequest::ListServices(String::new())).await.unwrap() {
                    MessageResponse::ListServicesResponse(list) => {
                        list.service.into_iter().map(|service| service.name).collect()
                    }
                    other => panic!("{other:?}"),
                }
            }

            pub(super) async fn by_symbol(
                server: &TestServer,
                symbol: &str,
            ) -> Result<Vec<FileDescriptorProto>, tonic::Status> {
                let asked = MessageRequest::FileContainingSymbol(symbol.into());
                ask(server, asked).await.map(files)
            }

            pub(super) async fn by_name(
                server: &TestServer,
                name: &str,
            ) -> Result<Vec<FileDescriptorProto>, tonic::Status> {
                ask(server, MessageRequest::FileByFilename(name.into())).await.map(files)
            }

            fn files(response: MessageResponse) -> Vec<FileDescriptorProto> {
                match response {
                    MessageResponse::FileDescriptorResponse(files) => files
                        .file_descriptor_proto
                        .iter()
                        .map(|file| FileDescriptorProto::decode(&file[..]).unwrap())
                        .collect(),
                    other => panic!("{other:?}"),
                }
            }

            async fn ask(
                server: &TestServer,
                asked: MessageRequest,
            ) -> Result<MessageResponse, tonic::Status> {
                let request =
                    ServerReflectionRequest { host: String::new(), message_request: Some(asked) };
                let mut client = ServerReflectionClient::new(server.channel().await);
                let requests = tokio_stream::once(request);
                let mut answers = client.server_reflection_info(requests).await?.into_inner();
                let answer = answers.message().await?.expect("an answer for each question");
                match answer.message_response.expect("an answer says something") {
                    MessageResponse::ErrorResponse(error) => {
                        Err(tonic::Status::new(error.error_code.into(), error.error_message))
                    }
                    other => Ok(other),
                }
            }
        }
    };
}

reflection_client!(v1, v1);
reflection_client!(v1alpha, v1alpha);

/// The same test for both versions.
macro_rules! in_both_versions {
    ($($name:ident => $body:ident;)+) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let server = TestServer::start(StoreKind::Memory).await;
            $body!(server, v1);
            $body!(server, v1alpha);
        }
    )+};
}

macro_rules! expect_services {
    ($server:ident, $version:ident) => {
        let listed = $version::list(&$server).await;
        for (service, _) in &SERVICES {
            assert!(listed.iter().any(|name| name == service), "{service} in {listed:?}");
        }
        let reflection = format!("grpc.reflection.{}.ServerReflection", stringify!($version));
        assert!(listed.contains(&reflection), "{reflection} in {listed:?}");
    };
}

macro_rules! expect_symbols {
    ($server:ident, $version:ident) => {
        for (service, file) in &SERVICES {
            let found = $version::by_symbol(&$server, service).await.unwrap();
            assert!(found[0].name().ends_with(file), "{service} in {}", found[0].name());
        }
        let memory = $version::by_symbol(&$server, SERVICES[0].0).await.unwrap().remove(0);
        let methods = memory.service[0].method.iter().map(|method| method.name().to_owned());
        assert_eq!(
            methods.collect::<BTreeSet<_>>(),
            crate::harness::METHODS.map(String::from).into()
        );
        for method in crate::harness::METHODS {
            let symbol = format!("{}.{method}", SERVICES[0].0);
            assert_eq!(
                $version::by_symbol(&$server, &symbol).await.unwrap()[0],
                memory,
                "{symbol}"
            );
            for message in
                [format!("memoryd.v1.{method}Request"), format!("memoryd.v1.{method}Response")]
            {
                assert_eq!($version::by_symbol(&$server, &message).await.unwrap()[0], memory);
            }
        }
        // With the comments, which are what a person asks for.
        assert!(memory.source_code_info.is_some_and(|info| info.location.len() > 100));
        for unknown in ["memoryd.v1.Nothing", "memoryd.v1", "", "memoryd.v1.MemoryService.Nothing"]
        {
            let missing = $version::by_symbol(&$server, unknown).await.unwrap_err();
            assert_eq!(missing.code(), Code::NotFound, "{unknown:?}");
        }
    };
}

macro_rules! expect_imports {
    ($server:ident, $version:ident) => {
        let symbols = DETAILS.into_iter().chain(SERVICES.iter().map(|(service, _)| *service));
        for symbol in symbols {
            let mut waiting = $version::by_symbol(&$server, symbol).await.unwrap();
            assert!(holds(&waiting[0], symbol), "{symbol} in {}", waiting[0].name());
            let mut seen = BTreeSet::new();
            while let Some(file) = waiting.pop() {
                for import in file.dependency {
                    if seen.insert(import.clone()) {
                        let found = $version::by_name(&$server, &import).await;
                        let found =
                            found.unwrap_or_else(|status| panic!("{symbol}: {import}: {status}"));
                        waiting.extend(found);
                    }
                }
            }
        }
    };
}

in_both_versions! {
    grpc_rust_1685_services_are_listed_in_both_versions => expect_services;
    grpc_rust_1685_symbols_are_described_in_both_versions => expect_symbols;
    grpcurl_238_error_details_and_every_import_can_be_resolved => expect_imports;
}

fn holds(file: &FileDescriptorProto, symbol: &str) -> bool {
    let Some(local) = symbol.strip_prefix(&format!("{}.", file.package())) else { return false };
    let outer = local.split('.').next();
    let messages = file.message_type.iter().map(|message| message.name());
    let services = file.service.iter().map(|service| service.name());
    messages.chain(services).any(|name| Some(name) == outer)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s11_the_descriptor_set_that_is_served_is_the_one_that_is_published() {
    let server = TestServer::start(StoreKind::Memory).await;
    let published =
        prost_types::FileDescriptorSet::decode(memoryd_proto::FILE_DESCRIPTOR_SET).unwrap();
    for file in published.file {
        let served = v1::by_name(&server, file.name()).await.unwrap();
        assert_eq!(served, [file]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s11_reflection_can_be_turned_off() {
    let config = Config { store: StoreKind::Memory, reflection: false, ..Config::default() };
    let server = TestServer::start_with(config).await;
    let symbol = SERVICES[0].0;
    assert_eq!(v1::by_symbol(&server, symbol).await.unwrap_err().code(), Code::Unimplemented);
    assert_eq!(v1alpha::by_symbol(&server, symbol).await.unwrap_err().code(), Code::Unimplemented);
    assert!(server.calls().await.info().await.is_ok());
}
